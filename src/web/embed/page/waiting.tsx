// Waiting, said and shown calmly: a screen reader receives each change, nothing blinks.
import type { ComponentChildren } from 'preact'

/** `share`, from 0 to 1: how much has come, where that is known. The text says the same, so the bar is hidden from readers. */
export function Waiting({ children, share }: { children?: ComponentChildren; share?: number | undefined }) {
  return (
    <div class="waiting">
      {share === undefined ? (
        <div class="bar" />
      ) : (
        <div class="bar part-done" aria-hidden="true">
          <div style={{ width: `${Math.round(share * 100)}%` }} />
        </div>
      )}
      <p role="status">{children}</p>
    </div>
  )
}
