// HTML written by hand, safely: what is filled in is text, unless it was made here as HTML.

import { ownValue } from '#kit/runtime/record.ts'

/** A piece of HTML that was made by the tag below. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Filling = string | number | bigint | Html | null | undefined | false | Filling[]

/** Escapes text; fragments and lists of fragments are joined unchanged; null, undefined and false are empty. */
export const html = (strings: TemplateStringsArray, ...fillings: Filling[]): Html =>
  new Html(strings.reduce((text, string, i) => text + written(fillings[i - 1]) + string))

function written(filling: Filling): string {
  if (filling === null || filling === undefined || filling === false) return ''
  if (filling instanceof Html) return filling.text
  if (Array.isArray(filling)) return filling.map(written).join('')
  return escaped(String(filling))
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ownValue(entities, character) ?? character)
