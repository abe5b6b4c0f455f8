// Prepares the HTML of mails for its conversion to text.

interface Markup {
  start: number
  end: number
  /** The element in lower case; empty for a comment. */
  name: string
  isClosing: boolean
}

const opening = /<!--|<(\/?)([a-z][^\s/>]*)/gi

/** Finds tags and comments in linear time. A tag within the value of an attribute is none. */
function* markupOf(html: string): Generator<Markup> {
  const tagEnd = tagEnds(html)
  let from = 0
  for (const { 0: text, 1: slash, 2: name = '', index: start } of html.matchAll(opening)) {
    if (start < from) continue
    const isComment = text === '<!--'
    const close = isComment ? html.indexOf('-->', start + 2) : 0
    // A comment without an end goes on to the end of the mail.
    if (close < 0) return
    from = isComment ? close + 3 : tagEnd(start + text.length)
    yield { start, end: from, name: name.toLowerCase(), isClosing: slash === '/' }
  }
}

/** Returns a function that finds the end of a tag from a place within it. */
function tagEnds(html: string): (from: number) => number {
  const stop = /=\s{0,9}(["'])|>/g
  const unclosed = new Set<string>()
  return (from) => {
    stop.lastIndex = from
    for (let found = stop.exec(html); found; found = stop.exec(html)) {
      const [, quote] = found
      if (quote === undefined) return stop.lastIndex
      const close = unclosed.has(quote) ? -1 : html.indexOf(quote, stop.lastIndex)
      if (close < 0) unclosed.add(quote)
      else stop.lastIndex = close + 1
    }
    return html.length
  }
}

/** An embedded picture. Its lines are longer than any word that follows `base64,` in a sentence. */
const dataUrl = /data:[\w.+/;=-]{1,80};base64,\s{0,9}[\w+/=]{40,}(?:\s{1,9}[\w+/=]{40,})*/gi

/** Removes styles, scripts and embedded pictures, which can be longer than all that is read of a mail. */
export function withoutSilentParts(html: string): string {
  const kept: string[] = []
  let from = 0
  for (const { start, name, isClosing } of markupOf(html)) {
    if (start < from || isClosing || (name !== 'style' && name !== 'script')) continue
    kept.push(html.slice(from, start))
    const close = new RegExp(`</${name}\\s{0,9}>`, 'gi')
    close.lastIndex = start
    // An element without an end goes on to the end of the mail.
    from = close.test(html) ? close.lastIndex : html.length
  }
  return [...kept, html.slice(from)].join('').replaceAll(dataUrl, '')
}

const inline = /^(?:a|abbr|b|bdi|bdo|big|code|del|em|font|i|img|ins|mark|o:p|s|small|span|strike|strong|sub|sup|tt|u)$/

/** Replaces all elements by line breaks, except those within a line. */
export function withoutNesting(html: string): string {
  const kept: string[] = []
  let from = 0
  for (const { start, end, name } of markupOf(html)) {
    kept.push(html.slice(from, start))
    if (name !== '' && !inline.test(name)) kept.push('<br>')
    from = end
  }
  return [...kept, html.slice(from)].join('')
}

/** Separates the cells of each table by a space, and its rows by a line break. */
export const withSpacedCells = (html: string): string =>
  html.replaceAll(/<\/(?:td|th)\b/gi, ' $&').replaceAll(/<\/tr\b/gi, '<br>$&')
