// The one file that normalises text: ICU sorts a run of combining marks, in time that grows with the square of the run.

/** A character with as many marks as Unicode's stream-safe format allows. Two half-width marks are letters by their category. */
const marked = /(.[\p{M}\uff9e\uff9f]{30})/su

/** The text in a normal form of Unicode, in linear time: of more than 30 marks in a row each 30 are normalised by themselves. */
export const normalize = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  text
    .split(marked)
    .map((piece) => piece.normalize(form))
    .join('')
