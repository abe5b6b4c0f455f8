// A JSON viewer with folding, colours and a copy button.

import { countText } from '@lendloom/foundation/text'
import type { ComponentChildren } from 'preact'
import { SmallButton, useCopy } from './components.tsx'

/** A document of at most so many lines is shown whole. */
const maxWholeLines = 40
/** In a longer one, a nested value with more entries is folded by default. */
const maxExpandedEntries = 8
/** In a longer one, values at this depth or deeper are folded by default. */
const expandedDepth = 2

/** Shows a value as JSON. A string is parsed if it is JSON, and shown unchanged otherwise. */
export function Json({ value, label }: { value: unknown; label: string }) {
  const content = typeof value === 'string' ? parseIfJson(value) : value
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2)
  const isWhole = text.split('\n', maxWholeLines + 1).length <= maxWholeLines
  return (
    <div class="json">
      <Copy text={text} label={label} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <section class="tree" aria-label={label} tabIndex={0}>
        {typeof content === 'string' ? content : <Node value={content} depth={0} isWhole={isWhole} />}
      </section>
    </div>
  )
}

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function Copy({ text, label }: { text: string; label: string }) {
  const [isCopied, copy] = useCopy(text)
  return (
    <SmallButton onClick={copy}>
      {isCopied ? 'Copied' : 'Copy'}
      <span class="unseen"> {label}</span>
    </SmallButton>
  )
}

interface NodeProps {
  value: unknown
  depth: number
  /** Whether nothing is folded. */
  isWhole: boolean
  name?: string
  /** Whether no comma follows. */
  isLast?: boolean
  /** Whether its parent has nothing else, so that it is all there is to see. */
  isOnly?: boolean
}

function Node({ value, depth, isWhole, name, isLast = true, isOnly = false }: NodeProps) {
  const head = name !== undefined && (
    <>
      <span class="json-name">{JSON.stringify(name)}</span>:{' '}
    </>
  )
  const comma = isLast ? '' : ','
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return (
      <div class="json-line">
        {head}
        <Leaf value={value} />
        {comma}
      </div>
    )
  const isList = Array.isArray(value)
  const entries = Object.entries(value)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  return (
    <Branch
      isOpen={isWhole || isOnly || depth === 0 || (depth < expandedDepth && entries.length <= maxExpandedEntries)}
      head={
        <>
          {head}
          {open}
        </>
      }
      foldedText={`${countText(entries.length, isList ? 'item' : 'field')} ${close}${comma}`}
      close={close + comma}
    >
      {entries.map(([key, inner], i) => (
        <Node
          key={key}
          value={inner}
          depth={depth + 1}
          isWhole={isWhole}
          isLast={i === entries.length - 1}
          isOnly={entries.length === 1}
          {...(isList ? {} : { name: key })}
        />
      ))}
    </Branch>
  )
}

interface BranchProps {
  isOpen: boolean
  head: ComponentChildren
  foldedText: string
  close: string
  children: ComponentChildren
}

const Branch = ({ isOpen, head, foldedText, close, children }: BranchProps) => (
  <details class="json-branch" open={isOpen}>
    <summary>
      {head} <span class="json-folded">{foldedText}</span>
    </summary>
    <div class="json-inner">{children}</div>
    <div class="json-line">{close}</div>
  </details>
)

const Leaf = ({ value }: { value: unknown }) => (
  <span class={`json-${value === null ? 'null' : typeof value}`}>{JSON.stringify(value)}</span>
)
