// English texts in the console's HTML document.

export const withoutScript = 'The console needs JavaScript.'

/** Shown instead of the console when the pages were not built. */
export const notBuilt = {
  title: 'The console is not built',
  text: 'The platform is running, but its web pages are missing. Run this command in the Lendloom folder, then restart it:',
}
