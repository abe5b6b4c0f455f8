// English texts in the console's HTML document.

export const withoutScript = 'The console needs JavaScript.'

/** In place of the console where the pages were never built. */
export const notBuilt = {
  title: 'The console is not built',
  text: 'The platform is running, but its web pages are missing. Run this command in the Lendloom folder, then restart it:',
}
