/** Put template and line at the beginning of an error's message, and return the error. Dev builds use this. */
export function located(error: unknown, at: string): unknown {
  if (error instanceof Error && at && !error.message.startsWith(`${at}: `)) error.message = `${at}: ${error.message}`;
  return error;
}
