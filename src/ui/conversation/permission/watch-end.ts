/** For `{@attach}`: says whether the content of a box goes on below what is in view, whenever that may have changed. */
export function watchEnd(see: (isBelow: boolean) => void): (box: HTMLElement) => () => void {
  return (box) => {
    let frame = 0;
    // What is said may change the size of the box, which an observer must not do while it is called.
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => see(box.scrollHeight - box.scrollTop - box.clientHeight > 2));
    };
    const sizes = new ResizeObserver(look);
    const watch = () => {
      sizes.observe(box);
      for (const child of box.children) sizes.observe(child);
      look();
    };
    const content = new MutationObserver(watch);
    watch();
    content.observe(box, { childList: true, subtree: true, characterData: true });
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      content.disconnect();
      box.removeEventListener('scroll', look);
    };
  };
}
