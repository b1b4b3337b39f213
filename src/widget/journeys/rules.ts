import type { PageRow } from '../../campaigns/pages/page.ts';

/** Rules of the steps of a journey, without I/O or clock. */

/** A block of a page, as far as it gives the recipient something to do. */
export interface TaskBlock {
  kind: string;
  /** Whether a product card has a button. */
  hasButton: boolean;
  /** Keys of the objectives of a checklist. */
  objectiveKeys: readonly string[];
}

/** Facts about a page of a journey. */
interface Facts {
  page: Pick<PageRow, 'kind' | 'completion_rule' | 'widget_instance_id'>;
  /** By the completion rule of the page. */
  isCompleted: boolean;
  /** Kinds of events that were recorded of the page. */
  kinds: readonly string[];
  blocks: readonly TaskBlock[];
  /** The objectives of the journey by key: whether each is completed. */
  objectives: ReadonlyMap<string, boolean>;
}

/**
 * Whether a recipient has done a step. The completion rule decides, except for `viewed`, which is the
 * default: there the task of the page counts. A form is to be sent, the objectives of a checklist are
 * to be completed, a button is to be clicked, and a text is read when the recipient goes on.
 */
export function isStepDone(facts: Facts): boolean {
  const { page, isCompleted, kinds, blocks, objectives } = facts;
  if (page.completion_rule !== 'viewed') return isCompleted;
  // The last page thanks, and asks for nothing.
  if (page.kind === 'completion') return isCompleted;
  const isSent = kinds.includes('page.form_submitted');
  if (blocks.some(({ kind }) => kind === 'form')) return isSent;
  const listed = blocks
    .flatMap(({ objectiveKeys }) => objectiveKeys)
    .flatMap((key) => objectives.get(key) ?? []);
  if (listed.length > 0) return listed.every(Boolean);
  const isClicked = kinds.includes('page.cta_clicked');
  if (blocks.some(({ kind, hasButton }) => kind === 'button' || hasButton)) return isClicked;
  const isRead = kinds.includes('page.continued');
  // The widget in the page may be switched off by now, which leaves nothing else to do.
  return page.widget_instance_id === null ? isRead : isRead || isSent || isClicked;
}
