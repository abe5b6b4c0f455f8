// A waiting state whose changes screen readers announce.
import type { ComponentChildren } from 'preact'

/**
 * `share` is the progress from 0 to 1, if known. The bar is hidden from screen readers, because the text has the same
 * information.
 */
export function Waiting({ children, share }: { children?: ComponentChildren; share?: number | undefined }) {
  return (
    <div class="waiting">
      {share === undefined ? (
        <div class="bar" />
      ) : (
        <div class="bar" aria-hidden="true">
          <div style={{ width: `${Math.round(share * 100)}%` }} />
        </div>
      )}
      <p role="status">{children}</p>
    </div>
  )
}
