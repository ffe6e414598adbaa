"""A talk from the page's content: a reveal.js deck with live charts, and the same slides for PowerPoint."""
