"""The HTML report in two steps: view makes rows and totals, render only fills templates."""
