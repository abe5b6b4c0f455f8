// Waiting, said and shown calmly: a screen reader hears each change, nothing blinks.
import type { ComponentChildren } from 'preact'

export function Waiting({ children }: { children?: ComponentChildren }) {
  return (
    <div class="waiting">
      <div class="bar" />
      <p role="status">{children}</p>
    </div>
  )
}
