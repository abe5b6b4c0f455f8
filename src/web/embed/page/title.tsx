// A screen's heading: focused on a new screen, so that screen readers start there.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { here } from './here.ts'

let first = true

export function Title({ children, lead }: { children: ComponentChildren; lead?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Before it is drawn: a page that became shorter would show its end for a moment.
  useLayoutEffect(() => {
    const { trouble } = here.session
    // A failed act of another screen is not repeated here.
    if (trouble.value?.again) trouble.value = null
    if (first) {
      first = false
      return
    }
    // A frame never takes the focus from the page around it.
    if (document.hasFocus()) heading.current?.focus({ preventScroll: true })
    if (here.host.framed) here.host.tell({ type: 'lab.scroll', top: 0 })
    // A frame that is smaller than its content scrolls itself.
    scrollTo(0, 0)
  }, [])
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {children}
      </h1>
      {lead && <p class="lead">{lead}</p>}
    </>
  )
}
