/** Return an error, with template and line at the beginning of its message. Dev builds use it. */
export function located(error: unknown, at: string): unknown {
  if (error instanceof Error && at && !error.message.startsWith(at)) error.message = `${at}: ${error.message}`;
  return error;
}
