// Endings without a loan: what happened, why, and what can be done now.

import { type Chunk, Fetched, speakReasons } from './chunk.tsx'
import { Actions, Button } from './form.tsx'
import { moment } from './format.ts'
import { here } from './here.ts'
import { Answers, lenderOf, Officer } from './lender.tsx'
import { Exit } from './stop.tsx'
import { language, t, textOf } from './text.ts'
import { Title } from './title.tsx'
import { inLanguage } from './words.ts'

type Ending = 'NOT_OFFERED' | 'REJECTED' | 'NO_ANSWER' | 'EXPIRED'

const reasons: Chunk = { texts: 'reasons', load: () => speakReasons().then(() => true) }
const ended = (how: Ending) => () => <Fetched chunk={reasons} draw={() => <Ended how={how} />} />

export const NotOfferedScreen = ended('NOT_OFFERED')
export const RejectedScreen = ended('REJECTED')
export const NoAnswerScreen = ended('NO_ANSWER')
export const ExpiredScreen = ended('EXPIRED')

function Ended({ how }: { how: Ending }) {
  const view = here.view.value
  const withdrawn = view.withdrawnAt && t('withdraw.done', { when: moment(view.withdrawnAt) })
  const why = textOf(`end.${how}.${view.expiredFor ?? view.journeyType}`)
  return (
    <section>
      <Title lead={withdrawn || why || t(`end.${how}.why`)}>{t(`end.${how}`)}</Title>
      {view.endReason && how !== 'EXPIRED' && !withdrawn && (
        <dl class="rows">
          <dt>{t('end.reason')}</dt>
          <dd>{inLanguage(view.endReason)}</dd>
        </dl>
      )}
      {how === 'NO_ANSWER' && <AskAgain />}
      {how === 'NOT_OFFERED' && view.lenders.length > 0 && (
        <>
          <h2>{t('end.answers')}</h2>
          <Answers lenders={view.lenders} />
        </>
      )}
      {how === 'REJECTED' && <Officer lender={lenderOf(view)} />}
      {how !== 'NO_ANSWER' && <Exit />}
    </section>
  )
}

/** The same consents once more, in the words shown today. */
function AskAgain() {
  const { session, boot } = here
  const consents = (['bureau', 'data_sharing'] as const).map((purpose) => ({
    purpose,
    textVersion: boot.consentVersion,
    language: language.value,
  }))
  return (
    <>
      <p class="hint">{t('end.NO_ANSWER.consent')}</p>
      <ul class="consent-texts">
        <li>{t('consent.bureau')}</li>
        <li>{t('consent.data_sharing')}</li>
      </ul>
      <Actions>
        <Button onClick={() => void session.act({ method: 'POST', path: '/profile/submit', body: { consents } })}>
          {t('trouble.again')}
        </Button>
      </Actions>
    </>
  )
}
