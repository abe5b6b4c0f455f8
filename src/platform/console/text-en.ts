// English texts in the console's HTML document.

export const withoutScript = 'The console needs JavaScript.'

/** In place of the console where the pages were never built. */
export const notBuilt = {
  title: 'The console is not built',
  text: 'The platform runs, but its web pages are missing. Whoever runs it builds them with this command, in the folder of Lendloom, and starts it again:',
}
