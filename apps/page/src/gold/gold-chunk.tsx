// Chunk with the parts of screens that only a gold loan needs: jewellery, gold value, branches.

import type { EmbedBranch } from '@lendloom/wire/hosted/embed-lender'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import { useSignal } from '@preact/signals'
import { Branch } from '../offers/branches.tsx'
import { ExternalLink } from '../offers/lender.tsx'
import { validity } from '../offers/offer-terms.tsx'
import { moment, rupees } from '../page/format.ts'
import { type BranchStep, page } from '../page/page-state.ts'
import { purities } from '../product/gold-loan.ts'
import { setProfileValue } from '../profile/profile-form.ts'
import { language, t, textOf } from '../text.ts'
import { BranchField } from './branch-field.tsx'
import { emptyLine, isComplete, type JewelleryLine, pieceKinds, sumOf } from './gold-pieces.ts'
import { goldValue } from './gold-value.ts'

/** Keeps the lines while the borrower visits other parts of the profile. */
let savedLines: readonly JewelleryLine[] = [emptyLine]

/** Input of jewellery line by line; the sum fills the form's weight and purity. */
function PieceByPiece() {
  const lines = useSignal(savedLines)
  const sum = sumOf(lines.value)
  function change(next: readonly JewelleryLine[]): void {
    const previousSum = sumOf(lines.value)
    savedLines = next
    lines.value = next
    const nextSum = sumOf(next)
    // An incomplete list clears both fields, but only if they had its sum.
    if (!nextSum && !previousSum) return
    setProfileValue('jewelleryWeightGrams', nextSum?.grams ?? '')
    setProfileValue('purity', nextSum?.purity ?? '')
  }
  const all = lines.value
  return (
    <details>
      <summary>{t('pieces.open')}</summary>
      <div class="all">
        <p class="hint">{t('pieces.why')}</p>
        {all.map((pieces, i) => (
          <Line
            key={i}
            index={i}
            pieces={pieces}
            onChange={(next) => change(all.map((each, position) => (position === i ? next : each)))}
            remove={all.length > 1 ? () => change(all.filter((_, position) => position !== i)) : null}
          />
        ))}
        <button type="button" class="plain" onClick={() => change([...all, emptyLine])}>
          {t('pieces.add')}
        </button>
        <div class="estimate">
          <p>{t('pieces.sum')}</p>
          <p class="amount" role="status">
            {sum ? t('pieces.grams', { grams: sum.grams }) : '–'}
          </p>
          <p class="hint">{sum ? t('pieces.all', { count: sum.count, purity: sum.purity }) : t('pieces.incomplete')}</p>
        </div>
        {sum?.isTooMuchCoin && <p class="notice">{t('pieces.coins')}</p>}
      </div>
    </details>
  )
}

interface LineProps {
  index: number
  pieces: JewelleryLine
  onChange(pieces: JewelleryLine): void
  remove: (() => void) | null
}

function Line({ index, pieces, onChange, remove }: LineProps) {
  const count = Number(pieces.count) || 1
  const hasSeveral = count !== 1
  const isWeightWrong = pieces.grams.trim() !== '' && !isComplete({ ...pieces, purity: '9K', count: '1' })
  return (
    <fieldset class="card">
      <legend class="sr">{t('pieces.line', { at: index + 1 })}</legend>
      <div class="figures">
        <Choice
          id={`piece-${index}-kind`}
          label={t('pieces.kind')}
          value={pieces.kind}
          options={pieceKinds.map((kind) => [kind, t(`pieces.kind.${kind}`)])}
          onValue={(kind) => onChange({ ...pieces, kind: pieceKinds.find((each) => each === kind) ?? 'other' })}
        />
        <Choice
          id={`piece-${index}-purity`}
          label={t('pieces.purity')}
          value={pieces.purity}
          options={[
            ['', t('profile.choose')],
            ...purities.map((purity): Option => [purity, textOf(`field.purity.${purity}`)]),
          ]}
          onValue={(purity) => onChange({ ...pieces, purity })}
        />
        <Entry
          id={`piece-${index}-count`}
          label={t('pieces.count')}
          inputMode="numeric"
          maxLength={2}
          value={pieces.count}
          onValue={(count) => onChange({ ...pieces, count })}
        />
        <Entry
          id={`piece-${index}-grams`}
          label={hasSeveral && pieces.perPiece ? t('pieces.weight.each') : t('pieces.weight', { count })}
          inputMode="decimal"
          maxLength={9}
          value={pieces.grams}
          error={isWeightWrong ? textOf('wrong.jewelleryWeightGrams') : null}
          onValue={(grams) => onChange({ ...pieces, grams })}
        />
      </div>
      {hasSeveral && (
        <PerPieceWeight isOn={pieces.perPiece} onValue={(perPiece) => onChange({ ...pieces, perPiece })} />
      )}
      <Remove index={index} remove={remove} />
    </fieldset>
  )
}

const PerPieceWeight = ({ isOn, onValue }: { isOn: boolean; onValue(isOn: boolean): void }) => (
  <label class="choice">
    <input type="checkbox" checked={isOn} onChange={(event) => onValue(event.currentTarget.checked)} />
    {t('pieces.each')}
  </label>
)

const Remove = ({ index, remove }: Pick<LineProps, 'index' | 'remove'>) =>
  remove && (
    <button type="button" class="quiet" aria-label={t('pieces.remove.line', { at: index + 1 })} onClick={remove}>
      {t('pieces.remove')}
    </button>
  )

type Option = [value: string, text: string]

interface ChoiceProps {
  id: string
  label: string
  value: string
  options: readonly Option[]
  onValue(value: string): void
}

const Choice = ({ id, label, value, options, onValue }: ChoiceProps) => (
  <div>
    <label for={id}>{label}</label>
    <select id={id} onChange={(event) => onValue(event.currentTarget.value)}>
      {options.map(([option, text]) => (
        <option key={option} value={option} selected={option === value}>
          {text}
        </option>
      ))}
    </select>
  </div>
)

interface EntryProps {
  id: string
  label: string
  value: string
  inputMode: 'numeric' | 'decimal'
  maxLength: number
  error?: string | null
  onValue(value: string): void
}

const Entry = ({ id, label, value, inputMode, maxLength, error, onValue }: EntryProps) => (
  <div class={error ? 'bad' : undefined}>
    <label for={id}>{label}</label>
    <input
      id={id}
      type="text"
      autocomplete="off"
      inputMode={inputMode}
      maxLength={maxLength}
      value={value}
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-wrong` : undefined}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
    {error && (
      <p class="wrong" id={`${id}-wrong`}>
        {error}
      </p>
    )}
  </div>
)

/** The gold value that the lender's offer implies, with its source. */
function Value({ offer }: { offer: EmbedOffer }) {
  const weight = page.view.value.goldLoan?.jewelleryWeightGrams
  const value = goldValue(offer, weight)
  if (!value) return null
  return (
    <div class="estimate">
      <p>{t('gold.value')}</p>
      <p class="amount">{rupees(value.rupees)}</p>
      {value.perGram && <p class="hint">{t('gold.gram', { rate: rupees(value.perGram), grams: String(weight) })}</p>}
      <p class="hint">
        {[t('gold.source', { lender: offer.lenderName }), validity(offer)].filter(Boolean).join(' · ')}
      </p>
      <p class="hint">{t('gold.tested')}</p>
    </div>
  )
}

function Location({ selected: { branch, agent, visit } }: BranchStep) {
  const { name = '', phone = '' } = agent ?? {}
  if (!branch && !name && !phone) return null
  return (
    <dl class="rows">
      {visit && page.view.value.screen === 'VISIT' && (
        <>
          <dt>{t('visit.when')}</dt>
          <dd>
            {moment(visit.at, 'short')}
            <span class="call">
              <ExternalLink href={`${visit.calendarUrl}?lang=${language.value}`}>{t('visit.calendar')}</ExternalLink>
            </span>
          </dd>
        </>
      )}
      {branch && (
        <>
          <dt>{t('visit.branch')}</dt>
          <dd>
            <Branch branch={branch} />
            <span class="call">
              <ExternalLink href={mapOf(branch)}>{t('visit.map')}</ExternalLink>
            </span>
          </dd>
        </>
      )}
      {(name || phone) && (
        <>
          <dt>{t(name ? 'visit.agent' : 'visit.phone')}</dt>
          <dd>
            {name} {phone && <Call phone={phone} />}
          </dd>
        </>
      )}
    </dl>
  )
}

/** Finds the branch in the phone's map app, or on a page without one. */
const mapOf = ({ name, address, pincode }: EmbedBranch): string =>
  `https://www.google.com/maps/search/?api=1&query=${encodeURIComponent([name, address, pincode].join(' '))}`

const Call = ({ phone }: { phone: string }) => (
  <a class="call" href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
    {t('visit.call', { phone })}
  </a>
)

/** After the payout: where the gold is stored, and how the borrower gets it back. */
const StoredGold = ({ selected }: BranchStep) => (
  <div class="all">
    <h2>{t('gold.kept')}</h2>
    <p>{t('gold.kept.where', { lender: selected.lenderName })}</p>
    <Location selected={selected} />
    <p class="hint">{t('gold.kept.back')}</p>
  </div>
)

page.gold = { PieceByPiece, Value, BranchField, Location, Stored: StoredGold }
