// Writes reminder days as a calendar file (RFC 5545).

export interface CalendarDay {
  /** Stable per event, so that a calendar updates the event instead of adding another one. */
  uid: string
  /** The date, `YYYY-MM-DD`, without a time zone. */
  on: string
  title: string
  text: string
}

/** Maximum length of a line without its line break (RFC 5545 §3.1). */
const maxOctets = 75

/** Nine in the morning of the day before, because an all-day event begins at midnight. */
const reminder = '-PT15H'

/**
 * Writes a calendar file with a reminder on the day before each event. Importing a file with a later `at` updates the
 * events of an earlier one.
 */
export function calendarFile(name: string, days: readonly CalendarDay[], at: Date): string {
  const stamp = `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  const sequence = Math.floor(at.getTime() / 60_000)
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Lendloom//Reminders//EN', 'CALSCALE:GREGORIAN', 'METHOD:PUBLISH'],
    `X-WR-CALNAME:${escapeText(name)}`,
    ...days.flatMap(({ uid, on, title, text }) => [
      ...['BEGIN:VEVENT', `UID:${escapeText(uid)}`, `DTSTAMP:${stamp}`, `SEQUENCE:${sequence}`],
      ...[
        `DTSTART;VALUE=DATE:${on.replaceAll('-', '')}`,
        `SUMMARY:${escapeText(title)}`,
        `DESCRIPTION:${escapeText(text)}`,
      ],
      'TRANSP:TRANSPARENT',
      ...['BEGIN:VALARM', 'ACTION:DISPLAY', `TRIGGER:${reminder}`, `DESCRIPTION:${escapeText(title)}`, 'END:VALARM'],
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
