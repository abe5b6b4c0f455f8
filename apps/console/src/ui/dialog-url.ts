// Opens dialogs by URL, such as ?open=invite.
import { useEffect } from 'preact/hooks'
import { query, takeOpening } from '../router.ts'

/** Calls `open` when the URL names this dialog. */
export function useOpening(name: string, open: () => void): void {
  const dialogInUrl = query.value('open')
  useEffect(() => {
    if (takeOpening(name)) open()
  }, [dialogInUrl])
}
