// Dialogs that an address opens, such as ?open=invite.
import { useEffect } from 'preact/hooks'
import { query, takeOpening } from '../router.ts'

/** Opens a dialog of the page when the address names it. */
export function useOpening(name: string, open: () => void): void {
  const wanted = query.value('open')
  useEffect(() => {
    if (takeOpening(name)) open()
  }, [wanted])
}
