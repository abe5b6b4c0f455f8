// HTML templates that escape interpolated text.

import { iconAttributes } from '@lendloom/design/icons'
import { ownValue } from '@lendloom/foundation/record'

/** HTML whose text is already escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Interpolation = string | number | bigint | Html | null | undefined | false | Interpolation[]

/** A template tag that escapes text, inserts `Html` unchanged, joins lists, and omits null, undefined and false. */
export const html = (strings: TemplateStringsArray, ...values: Interpolation[]): Html =>
  new Html(strings.reduce((text, string, i) => text + render(values[i - 1]) + string))

function render(value: Interpolation): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(render).join('')
  return escaped(String(value))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ownValue(entities, character) ?? character)

const iconAttributesText = Object.entries(iconAttributes)
  .map(([name, value]) => ` ${name}="${value}"`)
  .join('')

/** An icon in the line of a text, from its path in `@lendloom/design/icons`. */
export const icon = (path: string): Html =>
  new Html(`<svg aria-hidden="true"${iconAttributesText}><path d="${path}" /></svg>`)
