// Shows an icon on the screens that Preact renders.
import { iconAttributes } from './icons.ts'

interface IconProps {
  path: string
  isFilled?: boolean
}

export const Icon = ({ path, isFilled = false }: IconProps) => (
  <svg {...iconAttributes} aria-hidden="true" fill={isFilled ? 'currentColor' : 'none'}>
    <path d={path} />
  </svg>
)
