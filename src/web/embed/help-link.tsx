// The way to help and complaints, below every screen; what it opens is fetched when it is asked for.
import { signal } from '@preact/signals'
import { chunkOf, Fetched } from './chunk.tsx'
import { files } from './files.ts'
import { here } from './here.ts'
import { t } from './text.ts'

const help = chunkOf('help', () => files().help)

here.helpAbout = signal(null)

export function HelpLink() {
  if (here.session.state.value !== 'open') return null
  const open = (about: string | null) => () => {
    here.helpAbout.value = about
  }
  if (here.helpAbout.value === null)
    return (
      <button type="button" class="quiet" onClick={open('')}>
        {t('help.open')}
      </button>
    )
  return <Fetched chunk={help} draw={() => here.help && <here.help close={open(null)} />} />
}
