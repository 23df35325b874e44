/** In dev builds: the same error with template and line in its message. */
export function located(error: unknown, at: string): unknown {
  if (error instanceof Error && at && !error.message.startsWith(at)) error.message = `${at}: ${error.message}`;
  return error;
}
