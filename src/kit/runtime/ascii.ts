// Letters of any script written with those of ASCII, letter by letter; the one file that knows the library for it.
import anyAscii from 'any-ascii'

/** `ø` as `o`, `श` as `s`, `ண` as `n`. What has no letter of its own, such as a sign that silences a vowel, gives nothing. */
export const asciiOf = (text: string): string => anyAscii(text)
