// Something of the platform that is shown beside the journey: looked at, not waited for by anything else.
import { here } from './here.ts'

/** Null when it did not come; the session's end is the page's business. */
export async function look<T>(path: string): Promise<T | null> {
  const response = await fetch(`/api/embed${path}`, {
    credentials: 'omit',
    cache: 'no-store',
    headers: { authorization: `Bearer ${here.memory.kept.session}` },
  }).catch(() => null)
  if (response?.status === 401) void here.session.ask()
  return response?.ok ? response.json().catch(() => null) : null
}
