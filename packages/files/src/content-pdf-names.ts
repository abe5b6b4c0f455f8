// Reads names in the text of a PDF (ISO 32000-2 §7.3.5).

/** A name; in the data of a stream, one may reach up to the keyword of its end. */
export const anyName = String.raw`/((?:(?!endstream)[^\0\t\n\f\r ()<>[\]{}/%]){1,127})`
export const names = new RegExp(anyName, 'g')

/** Decodes escapes such as `#4a` in a name. */
export const plainName = (rawName: string): string =>
  rawName.includes('#')
    ? rawName.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : rawName
