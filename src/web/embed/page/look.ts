// Optional data of the platform beside the journey: nothing waits for it.
import { here } from './here.ts'

/** Null without an answer; the page handles the session's end. */
export async function look<T>(path: string): Promise<T | null> {
  const response = await fetch(`/api/embed${path}`, {
    credentials: 'omit',
    cache: 'no-store',
    headers: { authorization: `Bearer ${here.memory.kept.session}` },
  }).catch(() => null)
  if (response?.status === 401) void here.session.ask()
  return response?.ok ? response.json().catch(() => null) : null
}
