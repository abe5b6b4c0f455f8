// Links to help, complaints and given consents below every screen; their content is loaded on demand.
import { signal } from '@preact/signals'
import { chunkOf, Fetched } from '../page/chunk.tsx'
import { files } from '../page/files.ts'
import { here } from '../page/here.ts'
import { t } from '../text.ts'

const help = chunkOf('help', () => files().help)
const given = chunkOf('consents', () => files().given)

here.helpAbout = signal(null)
const isGivenOpen = signal(false)

export function HelpLink() {
  if (here.session.state.value !== 'open') return null
  const open = (about: string | null) => () => {
    here.helpAbout.value = about
    isGivenOpen.value = false
  }
  const openGiven = (is: boolean) => () => {
    isGivenOpen.value = is
  }
  if (here.helpAbout.value !== null)
    return <Fetched key="help" chunk={help} draw={() => here.help && <here.help close={open(null)} />} />
  if (isGivenOpen.value)
    return <Fetched key="given" chunk={given} draw={() => here.given && <here.given close={openGiven(false)} />} />
  return (
    <>
      <button type="button" class="quiet" onClick={open('')}>
        {t('help.open')}
      </button>
      <button type="button" class="quiet" onClick={openGiven(true)}>
        {t('given.open')}
      </button>
    </>
  )
}
