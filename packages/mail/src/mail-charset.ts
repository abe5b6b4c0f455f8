// The character set of a message that names none: whether its text is UTF-8, and which other one is likely.

/**
 * Whether a text that was decoded as UTF-8 was really UTF-8: at least half of its characters above ASCII could be decoded. In
 * another character set hardly any can; in UTF-8 all can, but for one that was cut or spoilt on the way.
 */
export function isUtf8(text: string): boolean {
  let undecodable = 0
  let decoded = 0
  for (const [characters] of text.matchAll(/[^\0-\x7f]+/g))
    for (const character of characters) {
      if (character === '\ufffd') undecodable++
      else decoded++
    }
  return undecodable <= decoded
}

/**
 * The character set of HTML that is not UTF-8 (`isUtf8`): the one that a meta element names, unless it names UTF-8, which it
 * is not; otherwise the one that old mail programs use without naming it.
 */
export function charsetOfHtml(html: string): string {
  const named = /<meta\b[^>]{0,200}?\bcharset\s{0,9}=\s{0,9}["']?([\w.:-]{2,40})/i.exec(html)?.[1]?.toLowerCase()
  return named === undefined || named === 'utf-8' || named === 'utf8' ? 'windows-1252' : named
}

const textTypeLine = /^content-type:[ \t]*text\/(?:plain|html)\b[^\r\n]*/gim

const foldedLine = /\r?\n[ \t][^\r\n]*/y

const asciiParameter = /;\s*charset\s*=\s*"?(?:us-)?ascii"?/i

/** Returns a message whose text parts name a character set, if they named none, or ASCII. */
export function withCharset(raw: Buffer, charset: string): Buffer {
  const parameter = `; charset=${charset}`
  const message = raw.toString('latin1')
  const pieces: string[] = []
  let from = 0
  for (const { 0: line, index } of message.matchAll(textTypeLine)) {
    const end = endOfField(message, index + line.length)
    const header = message.slice(index, end)
    const others = header.replace(asciiParameter, '')
    pieces.push(message.slice(from, index), /charset\s*=/i.test(others) ? header : others + parameter)
    from = end
  }
  const named = [...pieces, message.slice(from)].join('')
  const end = named.search(/\r?\n\r?\n/)
  const hasType = /^content-type:/im.test(named.slice(0, end < 0 ? undefined : end))
  return Buffer.from(hasType ? named : `Content-Type: text/plain${parameter}\r\n${named}`, 'latin1')
}

/** One pattern for all lines of a field would need more stack than there is. */
function endOfField(message: string, lineEnd: number): number {
  let end = lineEnd
  for (foldedLine.lastIndex = end; foldedLine.test(message); foldedLine.lastIndex = end) end = foldedLine.lastIndex
  return end
}
