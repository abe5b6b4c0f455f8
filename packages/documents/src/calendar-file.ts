// Writes events as a calendar file (RFC 5545).

export interface CalendarEvent {
  /** Stable per event, so that a calendar updates the event instead of adding another one. */
  uid: string
  /** The date of an event that takes all day, `YYYY-MM-DD` without a time zone; or the start of an hour. */
  on: string | Date
  place?: string
  title: string
  text: string
}

/** Maximum length of a line without its line break (RFC 5545 §3.1). */
const maxOctets = 75

/** For an event that takes all day nine in the morning of the day before, because it begins at midnight. */
const reminderOf = (on: string | Date): string => (typeof on === 'string' ? '-PT15H' : '-PT2H')

const instantText = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
const linesOf = (on: string | Date): string[] =>
  typeof on === 'string'
    ? [`DTSTART;VALUE=DATE:${on.replaceAll('-', '')}`, 'TRANSP:TRANSPARENT']
    : [`DTSTART:${instantText(on)}`, 'DURATION:PT1H']

/**
 * Writes a calendar file with a reminder before each event. Importing a file with a later `at` updates the
 * events of an earlier one.
 */
export function calendarFile(name: string, events: readonly CalendarEvent[], at: Date): string {
  const sequence = Math.floor(at.getTime() / 60_000)
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Lendloom//Reminders//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escapeText(name)}`,
    ...events.flatMap(({ uid, on, title, text, place }) => [
      'BEGIN:VEVENT',
      `UID:${escapeText(uid)}`,
      `DTSTAMP:${instantText(at)}`,
      `SEQUENCE:${sequence}`,
      ...linesOf(on),
      `SUMMARY:${escapeText(title)}`,
      `DESCRIPTION:${escapeText(text)}`,
      ...(place === undefined ? [] : [`LOCATION:${escapeText(place)}`]),
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      `TRIGGER:${reminderOf(on)}`,
      `DESCRIPTION:${escapeText(title)}`,
      'END:VALARM',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${foldLine(line)}\r\n`).join('')
}

/** Escapes text as the value of a property (RFC 5545 §3.3.11). */
const escapeText = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

/** Folds a line after at most 75 octets, never within a character. */
function foldLine(line: string): string {
  const lines = ['']
  let octets = 0
  for (const character of line) {
    const characterOctets = Buffer.byteLength(character)
    if (octets + characterOctets > maxOctets) {
      lines.push(' ')
      octets = 1
    }
    lines[lines.length - 1] += character
    octets += characterOctets
  }
  return lines.join('\r\n')
}
