// A screen's heading. It receives the focus when the screen opens, so that screen readers start there.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { page } from './page-state.ts'

let isFirstScreen = true

export function Title({ children, lead }: { children: ComponentChildren; lead?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // A layout effect, because a page that became shorter would show its end for a moment.
  useLayoutEffect(() => {
    const { failure } = page.session
    // Drops the retry of another screen's failed action.
    if (failure.value?.again) failure.value = null
    if (isFirstScreen) {
      isFirstScreen = false
      return
    }
    page.titles.value++
    // A frame must not take the focus from its host page.
    if (document.hasFocus()) heading.current?.focus({ preventScroll: true })
    if (page.host.framed) page.host.send({ type: 'lab.scroll', top: 0 })
    // For a frame that is smaller than its content.
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
