// The icons of every screen: the lines of each in a box of 16 by 16. They are no characters, which a font may lack.

/** The attributes of the `svg` element around the lines. It is also hidden from screen readers: a text says the same. */
export const iconAttributes = {
  class: 'icon',
  viewBox: '0 0 16 16',
  width: '1em',
  height: '1em',
  fill: 'none',
  stroke: 'currentColor',
  'stroke-width': 1.5,
  'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
} as const

export const arrowDown = 'M8 3v10M4 9l4 4 4-4'
export const arrowLeft = 'M13 8H3M7 4 3 8l4 4'
export const arrowRight = 'M3 8h10M9 4l4 4-4 4'
export const arrowUp = 'M8 13V3M4 7l4-4 4 4'
export const bank = 'M2 6.4 8 2.4l6 4M3.2 6.4V12M6.4 6.4V12M9.6 6.4V12M12.8 6.4V12M2 13.6h12'
export const bars = 'M2.4 13.6h11.2M4 11.2V8M8 11.2v-8M12 11.2V6.4'
export const bell = 'M3.6 11.6V7.2a4.4 4.4 0 0 1 8.8 0v4.4M2.4 11.6h11.2M6.8 13.8a1.4 1.4 0 0 0 2.4 0'
export const check = 'm3 8.5 3.5 3.5L13 4.5'
export const chevronDown = 'm4 6 4 4 4-4'
export const code = 'M5.6 4.8 2.4 8l3.2 3.2M10.4 4.8 13.6 8l-3.2 3.2'
export const cross = 'm4 4 8 8M12 4l-8 8'
export const envelope = 'M2 3.6h12v8.8H2ZM2 4.4l6 4.8 6-4.8'
export const exclamation = 'M8 3v6M8 12.5v.01'
export const eye = 'M1.6 8S4 3.6 8 3.6 14.4 8 14.4 8 12 12.4 8 12.4 1.6 8 1.6 8ZM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z'
export const eyeOff =
  'M6.4 3.8A6 6 0 0 1 8 3.6C12 3.6 14.4 8 14.4 8a11 11 0 0 1-1.6 2.1M4.3 4.6A10.6 10.6 0 0 0 1.6 8S4 12.4 8 12.4a6.2 6.2 0 0 0 3.2-.9M2.4 2.4l11.2 11.2'
export const lines = 'M3.2 3.6h2.4M3.2 8h2.4M3.2 12.4h2.4M8 3.6h4.8M8 8h4.8M8 12.4h4.8'
export const magnifier = 'M7.2 12a4.8 4.8 0 1 0 0-9.6 4.8 4.8 0 0 0 0 9.6ZM10.8 10.8l2.8 2.8'
export const outward = 'M2.4 8h7.2M7.2 5.2 10 8l-2.8 2.8M10 2.8h2.4A1.2 1.2 0 0 1 13.6 4v8a1.2 1.2 0 0 1-1.2 1.2H10'
export const paper = 'M3.2 2h7.2l2.4 2.4V14H3.2ZM5.6 6.4h4.8M5.6 8.8h4.8M5.6 11.2h3.2'
export const people =
  'M5.6 7.2a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8ZM1.2 13.6c0-2.4 1.9-4 4.4-4s4.4 1.6 4.4 4M10.4 7.2a2 2 0 1 0 0-4M11.2 9.6c2.1.2 3.6 1.6 3.6 4'
export const ring = 'M8 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Z'
export const speech = 'M2.8 3.2h10.4v7.6h-6l-2.8 2.8v-2.8H2.8ZM5.6 6h4.8M5.6 8H8'
export const star = 'm8 1.8 1.9 4 4.3.6-3.1 3 .7 4.4L8 11.7l-3.8 2.1.7-4.4-3.1-3 4.3-.6Z'
export const warning = 'M8 2.2 14.6 13.6H1.4ZM8 6.6v3M8 11.6v.01'

/** The sign of a state, which does not depend on colour alone. The ring of `info` is filled by `office.css`. */
export const stateIcons = {
  good: check,
  warn: exclamation,
  bad: cross,
  info: ring,
  plain: ring,
}

export type StateTone = keyof typeof stateIcons
