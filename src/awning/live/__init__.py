"""What live pages show and send, as far as no browser is needed for it. The harness's `live` opens the pages."""
