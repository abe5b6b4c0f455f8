// Reads names and the values after them in the text of a PDF (ISO 32000-2 §7.3.5).
import { blank } from './content-pdf-actions.ts'

export const anyName = String.raw`/([^\0\t\n\f\r ()<>[\]{}/%]{1,127})`
export const names = new RegExp(anyName, 'g')
const firstName = new RegExp(`^${anyName}`)

/** Returns the names of the filters at the start of a text; null if they are elsewhere or the list does not end. */
export function filtersIn(following: string): string[] | null {
  const value = following.replace(blank, '')
  if (/^\d/.test(value)) return null
  if (!value.startsWith('[')) {
    const [, name] = firstName.exec(value) ?? []
    return name === undefined ? [] : [plainName(name)]
  }
  const end = value.indexOf(']')
  const list = value.slice(1, end)
  if (end < 0 || /%|\d\s{1,8}R/.test(list)) return null
  return Array.from(list.matchAll(names), ([, name = '']) => plainName(name))
}

/** Returns the number at the start of a text; undefined for an indirect reference. */
export function numberIn(following: string): number | undefined {
  const [, number] = /^\s*(\d{1,9})(?!\d|\s+\d+\s+R)/.exec(following) ?? []
  return number === undefined ? undefined : Number(number)
}

/** Decodes escapes such as `#4a` in a name. */
export const plainName = (rawName: string): string =>
  rawName.includes('#')
    ? rawName.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : rawName
