// The way to help and complaints, below every screen; what it opens is fetched when it is asked for.
import { useSignal } from '@preact/signals'
import { Fetched, loaderOf } from './chunk.tsx'
import { files } from './files.ts'
import { here } from './here.ts'
import { t } from './text.ts'

const loadHelp = loaderOf(() => files().help)

export function HelpLink() {
  const isOpen = useSignal(false)
  const setOpen = (open: boolean) => {
    isOpen.value = open
  }
  if (here.session.state.value !== 'open') return null
  if (!isOpen.value)
    return (
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        {t('help.open')}
      </button>
    )
  return <Fetched load={loadHelp} draw={() => here.help && <here.help close={() => setOpen(false)} />} />
}
