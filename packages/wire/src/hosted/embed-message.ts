// Control messages of the hosted page (D1 §6.5), and the hello of its parent window.

/**
 * Messages of the page to its window that are not lifecycle updates; they carry `type` and never `borrower` (D1 §6.5).
 * `lab.ready`, `lab.resize {height}`, `lab.scroll {top}`, `lab.session_expired`, `lab.error {code, retryable}`,
 * `lab.open {url}` if the page cannot open a window itself, `lab.exit`.
 */
export const controlMessages = [
  'lab.ready',
  'lab.resize',
  'lab.scroll',
  'lab.session_expired',
  'lab.error',
  'lab.open',
  'lab.exit',
] as const
export type ControlMessage =
  | { type: 'lab.ready' | 'lab.session_expired' | 'lab.exit' }
  | { type: 'lab.resize'; height: number }
  | { type: 'lab.scroll'; top: number }
  | { type: 'lab.error'; code: string; retryable: boolean }
  | { type: 'lab.open'; url: string }

/**
 * The `type` of the only message to the page. It reveals the origin of the parent window to a page in a browser without
 * `location.ancestorOrigins`.
 */
export const helloType = 'lab.hello'
