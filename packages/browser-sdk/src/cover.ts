// Covers the frame while the page loads: a skeleton of the page, then a retry button if the page does not answer.
// Sets styles by script only, because the content security policy of a host may forbid style sheets and attributes.
import type { MountOptions } from './options.ts'
import { colours } from './values.ts'

/** The shapes of the page's first screen from top to bottom: space above, width and height. */
const shapes: [space: number, width: string, height: number][] = [
  [20, '35%', 16],
  [26, '100%', 5],
  [30, '75%', 28],
  [14, '90%', 16],
]
for (let field = 0; field < 3; field++) shapes.push([26, '40%', 16], [8, '100%', 48])

export interface Cover {
  readonly element: HTMLElement
  showSkeleton(): void
  showRetry(): void
}

/** Creates the cover, which must be in the same grid cell as the frame. */
export function coverOf(options: MountOptions, title: string, retry: () => void): Cover {
  const { colorScheme, height, retryText = 'Try again' } = options
  const prefers = (feature: string) => window.matchMedia?.(`(prefers-${feature})`).matches
  const scheme = colorScheme ?? (prefers('color-scheme: dark') ? 'dark' : 'light')
  const { background, shape } = colours[scheme]
  const minHeight = height === 'container' ? '0' : '600px'
  const element = elementOf(
    `display:grid;grid-area:1/1;overflow:hidden;min-height:${minHeight};background:${background}`,
  )
  return {
    element,
    showSkeleton() {
      const skeleton = elementOf('box-sizing:border-box;width:100%;max-width:38rem;margin:0 auto;padding:0 1rem')
      skeleton.setAttribute('role', 'progressbar')
      skeleton.setAttribute('aria-label', title)
      for (const [space, width, height] of shapes)
        skeleton.append(
          elementOf(
            `margin-top:${space}px;width:${width};height:${height}px;border-radius:${Math.min(height / 2, 10)}px;` +
              `background:${shape};forced-color-adjust:none`,
          ),
        )
      element.replaceChildren(skeleton)
      if (!prefers('reduced-motion: reduce'))
        skeleton.animate?.({ opacity: [1, 0.45, 1] }, { duration: 1800, iterations: Number.POSITIVE_INFINITY })
    },
    showRetry() {
      const panel = elementOf('place-self:center')
      const button = document.createElement('button')
      panel.setAttribute('role', 'alert')
      button.type = 'button'
      button.textContent = retryText
      button.style.cssText = `font:inherit;padding:.75em 1.5em;color-scheme:${scheme}`
      button.onclick = retry
      panel.append(button)
      element.replaceChildren(panel)
    },
  }
}

function elementOf(style: string): HTMLElement {
  const element = document.createElement('div')
  element.style.cssText = style
  return element
}
