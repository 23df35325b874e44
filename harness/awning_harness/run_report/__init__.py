"""What a test run reports at its end: failures by cause, and a page with checks, pictures and sizes."""
