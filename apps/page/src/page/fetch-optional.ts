// Fetches optional data that is not part of the journey's view.
import { page } from './page-state.ts'

/** Returns null after any failure. A 401 makes the session check whether it has expired. */
export async function fetchOptional<T>(path: string): Promise<T | null> {
  const response = await fetch(`/api/embed${path}`, {
    credentials: 'omit',
    cache: 'no-store',
    headers: { authorization: `Bearer ${page.memory.stored.session}` },
  }).catch(() => null)
  if (response?.status === 401) void page.session.refresh()
  return response?.ok ? response.json().catch(() => null) : null
}
