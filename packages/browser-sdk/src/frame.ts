// The frame of the hosted page: its permissions, its height, and scrolling to a new screen.
import type { MountOptions } from './options.ts'

/** Creates the frame without a URL. */
export function frameOf({ height }: MountOptions, title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  Object.assign(frame, {
    title,
    referrerPolicy: 'strict-origin',
    allow: 'camera; microphone',
    width: '100%',
    height: height === 'container' ? '100%' : '600',
  })
  frame.setAttribute(
    'sandbox',
    'allow-scripts allow-forms allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  )
  frame.style.cssText = 'border:0;display:block;grid-area:1/1;min-width:0'
  return frame
}

/** Scrolls to a new screen only if its top is above the visible area of the window or of a scrolling ancestor. */
export function scrollToFrame(frame: HTMLIFrameElement, top: number): void {
  let visibleTop = 0
  for (let ancestor = frame.parentElement; ancestor; ancestor = ancestor.parentElement)
    if (ancestor.scrollTop > 0 && ancestor !== document.documentElement)
      visibleTop = Math.max(visibleTop, ancestor.getBoundingClientRect().top)
  if (frame.getBoundingClientRect().top + top >= visibleTop) return
  frame.style.scrollMarginTop = `${-top}px`
  frame.scrollIntoView()
}
