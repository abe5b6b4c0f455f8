// Colours as the tokens write them, in OKLCH, and as every browser reads them, in hexadecimal sRGB.

/** `oklch(46% 0.16 265)`, with an opacity or without one; what sRGB cannot show is cut off at its edge. */
const written = /oklch\(([\d.]+)% ([\d.]+) ([\d.]+)(?: \/ ([\d.]+))?\)/g

/** Replaces every OKLCH colour in a value by the same one in hexadecimal. */
export const inHex = (value: string): string =>
  value.replace(written, (_, ...parts: (string | undefined)[]) => {
    const [lightness = 0, chroma = 0, hue = 0, opacity = 1] = parts.slice(0, 4).map((part) => Number(part ?? 1))
    const channels = linearFrom(lightness / 100, chroma, (hue * Math.PI) / 180).map(gamma)
    const hex = `#${[...channels, ...(opacity < 1 ? [opacity] : [])].map(byte).join('')}`
    return hex.replace(/^#(\w)\1(\w)\2(\w)\3$/, '#$1$2$3')
  })

/** The matrices of OKLab, as its author published them. */
function linearFrom(lightness: number, chroma: number, angle: number): number[] {
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

/** A colour in OKLCH: lightness from 0 to 1, chroma, and hue in degrees. */
export interface Lch {
  lightness: number
  chroma: number
  hue: number
}

/** `#1f4f8f` in OKLCH. */
export function lchOf(hex: string): Lch {
  const [red = 0, green = 0, blue = 0] = linearOf(hex)
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  const hue = ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360
  return { lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, chroma: Math.hypot(a, b), hue }
}

/** The colour as `#1f4f8f`. Where sRGB cannot show that much chroma, it has as much as sRGB shows, and keeps its hue. */
export function hexOf({ lightness, chroma, hue }: Lch): string {
  const angle = (hue * Math.PI) / 180
  const isShown = (part: number) => linearFrom(lightness, part, angle).every((each) => each > -0.0005 && each < 1.0005)
  let [least, most] = [0, chroma]
  if (!isShown(chroma))
    for (let i = 0; i < 12; i++) {
      const middle = (least + most) / 2
      if (isShown(middle)) least = middle
      else most = middle
    }
  else least = chroma
  return `#${linearFrom(lightness, least, angle).map(gamma).map(byte).join('')}`
}

/** Of two colours such as `#1f4f8f`, how much lighter one is than the other, as WCAG 2 counts it: from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [one, other].map(luminanceOf).sort((left, right) => left - right)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminanceOf(hex: string): number {
  const [red = 0, green = 0, blue = 0] = linearOf(hex)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linearOf(hex: string): number[] {
  const long = hex.replace(/^#(\w)(\w)(\w)$/, '#$1$1$2$2$3$3')
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(long.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
}

const gamma = (value: number): number => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)

const byte = (value: number): string =>
  Math.round(Math.min(1, Math.max(0, value)) * 255)
    .toString(16)
    .padStart(2, '0')
