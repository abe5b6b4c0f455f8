// What the document of the console says by itself, in English.

export const withoutScript = 'The console needs JavaScript.'
