// How generated pages are written: a heading, the sentence that says where a page comes from, tables, pictures.

export type Pages = Record<string, string>

/** A page that `npm run docs` writes, with the sentence that keeps people from editing it. */
export const page = (title: string, ...parts: string[]): string =>
  `${[`# ${title}`, '<!-- Written by `npm run docs` from the code; a test holds it equal. Change the code, not this page. -->', ...parts].join('\n\n')}\n`

/** A table; a pipe inside a cell would end it. */
export const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replace(/\|/g, '\\|').replace(/\s+/g, ' ').trim()).join(' | ')} |`)
    .join('\n')

export const code = (text: string): string => `\`${text}\``

export const mermaid = (lines: string[]): string => ['```mermaid', ...lines, '```'].join('\n')

/** A sentence out of a text that begins small and ends without a full stop, as summaries do. */
export const sentence = (text: string): string => {
  const whole = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return /[.!?]$/.test(whole) ? whole : `${whole}.`
}
