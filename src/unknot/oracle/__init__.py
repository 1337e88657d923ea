"""Who answers: run these tests, in this order, from a clean state; what came out of each?"""
