"""Programs: read, specialised, given foreign functions, evaluated. Knows no strategy."""
