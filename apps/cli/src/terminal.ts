// Prints text to the terminal of the user.

export const write = (to: NodeJS.WriteStream, text: string) => to.write(`${to.isTTY ? withoutControls(text) : text}\n`)

/**
 * Output contains text of lenders and borrowers, so colours are the only control sequences that reach a terminal, and
 * no character changes the direction of the text around it.
 */
export const withoutControls = (text: string): string =>
  text.replace(/(?!\n|\t|\r\n)[\p{Cc}\p{Bidi_Control}](\[[\d;]*m)?/gu, (found, colour) =>
    colour !== undefined && found.startsWith('\u001b') ? found : '\ufffd',
  )

/** Text of others without any control character: what they wrote has no colours of ours. */
export const plainText = (text: string): string => text.replace(/(?!\n|\t|\r\n)[\p{Cc}\p{Bidi_Control}]/gu, '\ufffd')

/** Prints a line at once, for commands that run until interrupted. */
export const printLine = (text: string): void => void write(process.stdout, text)
