import type { Page } from 'playwright-core';

// Faults of a layout that a person sees and axe does not. As text: what runs in the browser knows
// another world than what is typed here.

const script = `(() => {
  const all = [];
  const collect = (root) => {
    for (const one of root.querySelectorAll('*')) {
      all.push(one);
      if (one.shadowRoot) collect(one.shadowRoot);
    }
  };
  collect(document);
  const nameOf = (one) =>
    one.localName + (one.id ? '#' + one.id : '') + ' "' +
    (one.getAttribute('aria-label') || one.textContent || one.value || '').trim().replace(/\\s+/g, ' ').slice(0, 40) + '"';
  const parentOf = (one) => one.parentElement ?? one.getRootNode().host ?? null;
  const isSeen = (one) => {
    const box = one.getBoundingClientRect();
    // Texts for screen readers alone have a size of 1 pixel, or are cut to nothing.
    for (let at = one; at; at = parentOf(at)) {
      const { clipPath, clip } = getComputedStyle(at);
      if (clipPath === 'inset(50%)' || clipPath === 'inset(100%)' || /^rect\\(0px, 0px, 0px, 0px\\)|^rect\\(1px/.test(clip)) return false;
    }
    return box.width > 2 && box.height > 2 && one.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
  };
  /** The rectangle as far as no ancestor hides it. */
  const shownOf = (one, rect) => {
    let { left, top, right, bottom } = rect;
    for (let at = one; at; at = parentOf(at)) {
      const style = getComputedStyle(at);
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
      const box = at.getBoundingClientRect();
      left = Math.max(left, box.left); right = Math.min(right, box.right);
      top = Math.max(top, box.top); bottom = Math.min(bottom, box.bottom);
    }
    return { left, top, right, bottom };
  };
  const layerOf = (one) => {
    for (let at = one; at; at = parentOf(at)) {
      const { position } = getComputedStyle(at);
      if (position === 'fixed' || position === 'sticky' || at.localName === 'dialog') return at;
    }
    return document;
  };
  const faults = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) {
    const widest = all.filter((one) => isSeen(one) && one.getBoundingClientRect().right > clientWidth + 1).at(-1);
    faults.push('scrolls sideways: ' + scrollWidth + ' of ' + clientWidth + ', as ' + (widest ? nameOf(widest) : '?'));
  }
  const seen = all.filter(isSeen);
  for (const one of seen) {
    const { overflowX, overflowY, clipPath } = getComputedStyle(one);
    const isCut = (value, wants, has) => (value === 'hidden' || value === 'clip') && wants > has + 1;
    if (clipPath !== 'none' || one.title || one.localName === 'html' || one.localName === 'body') continue;
    if (!one.textContent.trim() || one.clientHeight === 0) continue;
    if (isCut(overflowX, one.scrollWidth, one.clientWidth)) faults.push('text is cut: ' + nameOf(one));
    else if (isCut(overflowY, one.scrollHeight, one.clientHeight)) faults.push('text is cut below: ' + nameOf(one));
  }
  const boxes = [];
  for (const one of seen) {
    if (one.closest('svg, canvas, [aria-hidden=true], .VPLocalNav, .VPSkipLink')) continue;
    const isActive = one.matches('a[href], button, input:not([type=hidden]), select, textarea, summary');
    // The text of closed details has a place, and is not drawn.
    if (one.localName === 'details' && !one.open) continue;
    const texts = [...one.childNodes].filter((node) => node.nodeType === 3 && node.data.trim() !== '');
    const rects = isActive
      ? [...one.getClientRects()]
      : texts.flatMap((text) => {
          const range = document.createRange();
          range.selectNodeContents(text);
          return [...range.getClientRects()];
        });
    const layer = layerOf(one);
    for (const rect of rects) {
      const box = shownOf(one, rect);
      if (box.right - box.left > 2 && box.bottom - box.top > 2) boxes.push({ one, layer, isActive, ...box });
    }
  }
  const around = (a, b) => {
    for (let at = b; at; at = parentOf(at)) if (at === a) return true;
    return false;
  };
  boxes.sort((a, b) => a.top - b.top);
  for (let i = 0; i < boxes.length; i += 1) {
    const a = boxes[i];
    for (let j = i + 1; j < boxes.length && boxes[j].top < a.bottom; j += 1) {
      const b = boxes[j];
      if (a.one === b.one || a.layer !== b.layer) continue;
      const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // The boxes of lines of text are higher than their letters.
      const least = a.isActive && b.isActive ? 2 : 6;
      if (x <= 2 || y <= least || around(a.one, b.one) || around(b.one, a.one)) continue;
      if (a.one.labels && [...a.one.labels].some((label) => around(label, b.one))) continue;
      if (b.one.labels && [...b.one.labels].some((label) => around(label, a.one))) continue;
      // A link over its whole card or row is the card.
      if (a.one.matches('a.open, a.cover') || b.one.matches('a.open, a.cover')) continue;
      faults.push('overlap: ' + nameOf(a.one) + ' and ' + nameOf(b.one));
    }
  }
  return [...new Set(faults)].slice(0, 8);
})()`;

/** Sentences about what overflows, is cut or overlaps. */
export const layoutFaults = (page: Page): Promise<string[]> => page.evaluate<string[]>(script);

const focusScript = `(async () => {
  const all = [];
  const collect = (root) => {
    for (const one of root.querySelectorAll('*')) {
      all.push(one);
      if (one.shadowRoot) collect(one.shadowRoot);
    }
  };
  collect(document);
  const look = (one) => {
    const parts = [one, one.parentElement, one.nextElementSibling, one.closest('label, li, tr, form')];
    return parts.filter(Boolean).map((part) => {
      const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor, textDecorationLine } = getComputedStyle(part);
      const outline = outlineStyle === 'none' || outlineWidth === '0px' ? 'none' : outlineStyle + outlineWidth + outlineColor;
      return [outline, boxShadow, borderColor, backgroundColor, textDecorationLine].join(' ');
    }).join('|');
  };
  const faults = [];
  for (const one of all) {
    if (!one.matches('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]')) continue;
    if (one.disabled || !one.checkVisibility({ visibilityProperty: true })) continue;
    one.blur();
    const before = look(one);
    one.focus({ preventScroll: true, focusVisible: true });
    const root = one.getRootNode();
    if (root.activeElement !== one) continue;
    if (look(one) === before) faults.push('focus is not seen: ' + one.localName + ' "' + (one.textContent || one.name || '').trim().slice(0, 40) + '"');
    one.blur();
  }
  return [...new Set(faults)].slice(0, 8);
})()`;

/** Sentences about what the keyboard reaches unseen. */
export async function focusFaults(page: Page): Promise<string[]> {
  // The last key decides whether a focus is shown.
  await page.keyboard.press('Tab');
  return page.evaluate<string[]>(focusScript);
}
