// Links below every screen to help, complaints and the borrower's consents; their chunks are loaded on demand.
import { signal } from '@preact/signals'
import { chunkOf, Fetched } from '../page/chunk.tsx'
import { files } from '../page/files.ts'
import { page } from '../page/page.ts'
import { t } from '../text.ts'

const help = chunkOf('help', () => files().help)
const consents = chunkOf('consents', () => files().consents)

page.helpAbout = signal(null)
const areConsentsOpen = signal(false)

export function HelpLink() {
  if (page.session.state.value !== 'open') return null
  const openHelp = (about: string | null) => () => {
    page.helpAbout.value = about
    areConsentsOpen.value = false
  }
  const setConsentsOpen = (isOpen: boolean) => () => {
    areConsentsOpen.value = isOpen
  }
  if (page.helpAbout.value !== null)
    return <Fetched key="help" chunk={help} render={() => page.help && <page.help close={openHelp(null)} />} />
  if (areConsentsOpen.value)
    return (
      <Fetched
        key="given"
        chunk={consents}
        render={() => page.consents && <page.consents close={setConsentsOpen(false)} />}
      />
    )
  return (
    <>
      <button type="button" class="quiet" onClick={openHelp('')}>
        {t('help.open')}
      </button>
      <button type="button" class="quiet" onClick={setConsentsOpen(true)}>
        {t('given.open')}
      </button>
    </>
  )
}
