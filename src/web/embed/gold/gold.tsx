// The gold loan's part, as a separate chunk: pieces, value, branches.
import { useSignal } from '@preact/signals'
import type { EmbedOffer } from '#contract/hosted/embed.ts'
import { Branch } from '../offers/branches.tsx'
import { validity } from '../offers/terms.tsx'
import { rupees } from '../page/format.ts'
import { type BranchStep, here } from '../page/here.ts'
import { purities } from '../product/gold-loan.ts'
import { common } from '../profile/profile-screen.tsx'
import { t, textOf } from '../text.ts'
import { BranchField } from './branch-field.tsx'
import { isWhole, noPieces, type Pieces, pieceKinds, sumOf } from './gold-pieces.ts'
import { goldValue } from './gold-value.ts'

/** Writes a field of the profile, as if it were entered there. */
const put = (name: string, value: string): void => common({ name, part: 1 }).onValue(value)

/** The lines stay while the borrower looks at other parts of the profile. */
let kept: readonly Pieces[] = [noPieces]

/** The jewellery piece by piece: its sum becomes the weight and the purity of the form. */
function PieceByPiece() {
  const lines = useSignal(kept)
  const sum = sumOf(lines.value)
  function change(next: readonly Pieces[]): void {
    const before = sumOf(lines.value)
    kept = next
    lines.value = next
    const now = sumOf(next)
    // A sum that no longer holds is not sent on.
    if (!now && !before) return
    put('jewelleryWeightGrams', now?.grams ?? '')
    put('purity', now?.purity ?? '')
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
            at={i}
            pieces={pieces}
            onChange={(next) => change(all.map((each, place) => (place === i ? next : each)))}
            remove={all.length > 1 ? () => change(all.filter((_, place) => place !== i)) : null}
          />
        ))}
        <button type="button" class="plain" onClick={() => change([...all, noPieces])}>
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
  at: number
  pieces: Pieces
  onChange(pieces: Pieces): void
  remove: (() => void) | null
}

function Line({ at, pieces, onChange, remove }: LineProps) {
  const count = Number(pieces.count) || 1
  const several = count !== 1
  const wrong = pieces.grams.trim() !== '' && !isWhole({ ...pieces, purity: '9K', count: '1' })
  return (
    <fieldset class="card">
      <legend class="sr">{t('pieces.line', { at: at + 1 })}</legend>
      <div class="figures">
        <Choice
          id={`piece-${at}-kind`}
          label={t('pieces.kind')}
          value={pieces.kind}
          options={pieceKinds.map((kind) => [kind, t(`pieces.kind.${kind}`)])}
          onValue={(kind) => onChange({ ...pieces, kind: pieceKinds.find((each) => each === kind) ?? 'other' })}
        />
        <Choice
          id={`piece-${at}-purity`}
          label={t('pieces.purity')}
          value={pieces.purity}
          options={[
            ['', t('profile.choose')],
            ...purities.map((each): Option => [each, textOf(`field.purity.${each}`)]),
          ]}
          onValue={(purity) => onChange({ ...pieces, purity })}
        />
        <Entry
          id={`piece-${at}-count`}
          label={t('pieces.count')}
          inputMode="numeric"
          maxLength={2}
          value={pieces.count}
          onValue={(count) => onChange({ ...pieces, count })}
        />
        <Entry
          id={`piece-${at}-grams`}
          label={several && pieces.each ? t('pieces.weight.each') : t('pieces.weight', { count })}
          inputMode="decimal"
          maxLength={9}
          value={pieces.grams}
          wrong={wrong ? textOf('wrong.jewelleryWeightGrams') : null}
          onValue={(grams) => onChange({ ...pieces, grams })}
        />
      </div>
      {several && <Weighed each={pieces.each} onValue={(each) => onChange({ ...pieces, each })} />}
      <Remove at={at} remove={remove} />
    </fieldset>
  )
}

const Weighed = ({ each, onValue }: { each: boolean; onValue(each: boolean): void }) => (
  <label class="choice">
    <input type="checkbox" checked={each} onChange={(event) => onValue(event.currentTarget.checked)} />
    {t('pieces.each')}
  </label>
)

const Remove = ({ at, remove }: Pick<LineProps, 'at' | 'remove'>) =>
  remove && (
    <button type="button" class="quiet" aria-label={t('pieces.remove.line', { at: at + 1 })} onClick={remove}>
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
  wrong?: string | null
  onValue(value: string): void
}

const Entry = ({ id, label, value, inputMode, maxLength, wrong, onValue }: EntryProps) => (
  <div class={wrong ? 'bad' : undefined}>
    <label for={id}>{label}</label>
    <input
      id={id}
      type="text"
      autocomplete="off"
      inputMode={inputMode}
      maxLength={maxLength}
      value={value}
      aria-invalid={wrong ? true : undefined}
      aria-describedby={wrong ? `${id}-wrong` : undefined}
      onInput={(event) => onValue(event.currentTarget.value)}
    />
    {wrong && (
      <p class="wrong" id={`${id}-wrong`}>
        {wrong}
      </p>
    )}
  </div>
)

/** The lender's value of the gold, and its basis. */
function Value({ offer }: { offer: EmbedOffer }) {
  const weight = here.view.value.goldLoan?.jewelleryWeightGrams
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

/** The gold branch, and its contact. */
function Where({ selected: { branch, agent } }: BranchStep) {
  const { name = '', phone = '' } = agent ?? {}
  if (!branch && !name && !phone) return null
  return (
    <dl class="rows">
      {branch && (
        <>
          <dt>{t('visit.branch')}</dt>
          <dd>
            <Branch branch={branch} />
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

const Call = ({ phone }: { phone: string }) => (
  <a class="call" href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
    {t('visit.call', { phone })}
  </a>
)

/** After the payout: where the gold is, and how it is returned. */
const Kept = ({ selected }: BranchStep) => (
  <div class="all">
    <h2>{t('gold.kept')}</h2>
    <p>{t('gold.kept.where', { lender: selected.lenderName })}</p>
    <Where selected={selected} />
    <p class="hint">{t('gold.kept.back')}</p>
  </div>
)

here.gold = { PieceByPiece, Value, BranchField, Where, Kept }
