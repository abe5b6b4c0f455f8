// English texts in the console's HTML.

export const noScriptText = 'The console needs JavaScript.'

/** Replaces the console when the web build is missing. */
export const missingBuildPage = {
  title: 'The console is not built',
  text: 'The platform is running, but its web pages are missing. Run this command in the Lendloom folder, then restart it:',
}
