package planted;

class HeirOneTest extends ContractBase {}
