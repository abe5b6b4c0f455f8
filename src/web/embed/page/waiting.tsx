// A calm waiting state: screen readers hear each change, nothing blinks.
import type { ComponentChildren } from 'preact'

/**
 * `share`: the progress from 0 to 1, if known. The text has the same information, so the bar is hidden from screen
 * readers.
 */
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
