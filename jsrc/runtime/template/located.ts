/** Add template and line to the message of an error, in dev builds. */
export function located(error: unknown, at: string): unknown {
  if (error instanceof Error && at && !error.message.startsWith(at)) error.message = `${at}: ${error.message}`;
  return error;
}
