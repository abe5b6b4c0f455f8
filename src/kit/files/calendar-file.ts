// Writes reminder days as a calendar file (RFC 5545).

export interface CalendarDay {
  /** Stable per event: a calendar that has it updates it instead of adding another. */
  uid: string
  /** `YYYY-MM-DD`: it lasts all of this day, wherever the calendar is. */
  on: string
  title: string
  text: string
}

/** Octets of a line, without its end (RFC 5545 §3.1). */
const mostOctets = 75

/** Nine in the morning of the day before: an all-day event begins at midnight. */
const reminder = '-PT15H'

/**
 * The calendar file, with a reminder on the day before each entry. An entry with a later `at` replaces an earlier one
 * for the same day.
 */
export function calendarFile(name: string, days: readonly CalendarDay[], at: Date): string {
  const stamp = `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  const sequence = Math.floor(at.getTime() / 60_000)
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Lendloom//Reminders//EN', 'CALSCALE:GREGORIAN', 'METHOD:PUBLISH'],
    `X-WR-CALNAME:${escaped(name)}`,
    ...days.flatMap(({ uid, on, title, text }) => [
      ...['BEGIN:VEVENT', `UID:${escaped(uid)}`, `DTSTAMP:${stamp}`, `SEQUENCE:${sequence}`],
      ...[`DTSTART;VALUE=DATE:${on.replaceAll('-', '')}`, `SUMMARY:${escaped(title)}`, `DESCRIPTION:${escaped(text)}`],
      'TRANSP:TRANSPARENT',
      ...['BEGIN:VALARM', 'ACTION:DISPLAY', `TRIGGER:${reminder}`, `DESCRIPTION:${escaped(title)}`, 'END:VALARM'],
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** As the value of a property (RFC 5545 §3.3.11). */
const escaped = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

/** In lines of at most 75 octets, no character broken. */
function folded(line: string): string {
  const lines = ['']
  let octets = 0
  for (const character of line) {
    const more = Buffer.byteLength(character)
    if (octets + more > mostOctets) {
      lines.push(' ')
      octets = 1
    }
    lines[lines.length - 1] += character
    octets += more
  }
  return lines.join('\r\n')
}
