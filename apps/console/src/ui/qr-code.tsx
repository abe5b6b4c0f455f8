// A QR code, drawn as one SVG path, dark on white in each theme because scanners may fail on inverted codes.
import { encode } from 'uqr'

/** Modules of white margin on each side, which scanners need (ISO/IEC 18004 §6.3.8). */
const border = 4

export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="white" />
      <path d={path} fill="black" />
    </svg>
  )
}
