// Markdown that we wrote ourselves, as HTML. Not for what comes from outside: markup in it is kept.
import { Lexer, Parser } from 'marked'
import { Html } from './markup.ts'

/** Headings begin at `from`, so that a text fits below a heading of the page. */
export const markdown = (text: string, from = 3): Html =>
  new Html(
    Parser.parse(Lexer.lex(text))
      .replace(/<(\/?)h(\d)>/g, (_, slash, level) => `<${slash}h${Math.min(6, Number(level) + from - 1)}>`)
      // A table or an example that is wider than a phone is scrolled, also by keyboard.
      .replace(/<(pre|table)>/g, '<div class="wide" tabindex="0"><$1>')
      .replace(/<\/(pre|table)>/g, '</$1></div>'),
  )

/** One line, without a paragraph around it. */
export const markdownLine = (text: string): Html => new Html(Parser.parseInline(Lexer.lexInline(text)))
